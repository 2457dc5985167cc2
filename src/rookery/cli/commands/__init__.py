"""The commands of `rookery`, one file each; `rookery.cli` lists them."""
