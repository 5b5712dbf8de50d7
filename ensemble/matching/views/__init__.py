"""Views of texts in which similar texts lie close together: one file each."""
