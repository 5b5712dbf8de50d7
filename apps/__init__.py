"""Apps that stand on the product: a service, labelling, Spark, and adapters for other tools."""
