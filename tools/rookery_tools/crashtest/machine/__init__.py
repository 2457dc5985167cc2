"""The machine that servers run on: processes, disks that fail, and power that goes."""
