# Runs inside the sandbox, before the program of a call. It is no part of the workbench's own process.
printf H >/lambda/result || exit 1
IFS= read -r request || exit 1 # the workbench died before it let this call go
exec "$1" /lambda/main.sh
