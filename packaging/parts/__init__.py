"""Parts of `packaging/build`: one module for each kind of package."""
