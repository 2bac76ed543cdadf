#!/bin/sh
# A GTP program that misbehaves in the way its first argument says; for crates/arena/tests/programs.rs.
# It knows just enough to get to its first move: every command but genmove succeeds.
# Some ways leave a child process behind on purpose: nothing of it may survive the match.
while read -r command arguments; do
  case "$command" in
  name) printf '= Bot %s\n\n' "$1" ;;
  list_commands) printf '= play\ngenmove\n\n' ;;
  quit)
    # "deaf" does not end when it is asked to.
    [ "$1" = deaf ] && sleep 1000
    printf '=\n\n'
    exit 0
    ;;
  genmove)
    case "$1" in
    hang)
      sh -c "sleep 1000; : $2" &
      sh -c "sleep 1000; : $2"
      ;;
    exit)
      echo 'out of luck' >&2
      exit 3
      ;;
    garbage) while :; do echo 'the answer is 42'; done ;;
    nonsense) printf 'what a lovely board\n' ;;
    illegal) printf '= a1\n\n' ;;
    words) printf '= moo\n\n' ;;
    refuse) printf '? cannot think today\n\n' ;;
    resign) printf '= resign\n\n' ;;
    late)
      sleep 0.7
      printf '= d3\n\n'
      ;;
    deaf) printf '= pass\n\n' ;;
    esac
    ;;
  *) printf '=\n\n' ;;
  esac
done
