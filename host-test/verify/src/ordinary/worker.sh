# Leases events, acknowledges nine of ten, and returns the tenth with `nack`. Reports each step as a line.
# If a command fails or warns, the line contains its duration in seconds, the status of a failure, and the
# messages.
count=0
words() { tr '\n' ' ' < errors; }
while [ ! -e stop ]; do
  began=$SECONDS
  leased=$("$PROGRAM" inbox lease --limit 4 --lease "${LEASE}s" 2> errors) || {
    echo "failed $((SECONDS - began)) lease $? $(words)"
    sleep 0.2
    continue
  }
  # The lease did not begin before the command, so the time counts from the start of the command.
  since=$began
  [ ! -s errors ] || echo "warned $((SECONDS - began)) lease $(words)"
  echo "did lease"
  [ -n "$leased" ] || { sleep 0.1; continue; }
  while IFS=$'\t' read -r id lease key _; do
    count=$((count + 1))
    if [ $((count % 10)) = 0 ]; then
      verb=nack options=(--pause 0s)
    else
      verb=ack options=()
      echo "acking $key"
    fi
    began=$SECONDS
    "$PROGRAM" inbox $verb "$id" --lease "$lease" "${options[@]}" > /dev/null 2> errors
    status=$?
    if [ $status = 0 ]; then
      [ ! -s errors ] || echo "warned $((SECONDS - began)) $verb $(words)"
      echo "${verb}ed $key"
    elif [ $status != 75 ] && grep -q -i lease errors; then
      echo "expired $((SECONDS - since)) $key $(words)"
    else
      echo "failed $((SECONDS - began)) $verb $status $key $(words)"
    fi
  done <<< "$leased"
done
