"""Tree kernels on phrase trees and dependency trees, for a whole batch."""
