#!/bin/sh
# Replaces itself with the program from the package of the platform, so that the program receives every signal.
case $(uname -sm) in
    "Linux x86_64") platform=linux-x64 ;;
    "Linux aarch64") platform=linux-arm64 ;;
    *) echo "error: messaging-cli has no package for $(uname -sm): the platform must be linux-arm64 or linux-x64" >&2; exit 1 ;;
esac
name=messaging-cli-$platform
# Searches the directories of packages like Node: from this file upward.
directory=$(dirname "$(readlink -f "$0")")
while :; do
    program=${directory%/}/node_modules/$name/bin/messaging
    [ ! -x "$program" ] || exec "$program" "$@"
    [ "$directory" != / ] || break
    directory=$(dirname "$directory")
done
echo "error: package $name is not installed; install without --omit=optional" >&2
exit 1
