"""The fixture that fits a member once."""

from ...models.transformers.conftest import fitted_member  # noqa: F401
