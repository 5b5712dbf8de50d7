"""What a pair of sentences looks like in numbers: analysis, resources, feature families and the matrix."""
