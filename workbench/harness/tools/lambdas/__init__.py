"""Lambdas and code: their ABI, and the sandbox they run in.

`sandbox.run` runs one call, `probe.probe` says whether calls can run on this machine and what is missing where they
cannot; `values` has what goes in and comes out.
"""
