#!/bin/sh
# A Gomocup program that misbehaves in the way its first argument says; for crates/arena/tests/brains.rs.
# The second argument marks its processes. The third, if there is one, is a folder: the first process to create it
# misbehaves, later ones play properly, on the first empty point.
way=$1
mark=$2
if [ -n "$3" ] && ! mkdir "$3" 2>/dev/null; then
  way=good
fi

# Writes the first empty point; $stones holds the others, each between blanks.
move() {
  y=0
  while [ "$y" -lt 15 ]; do
    x=0
    while [ "$x" -lt 15 ]; do
      case "$stones" in
      *" $x,$y "*) ;;
      *)
        printf '%s,%s\r\n' "$x" "$y"
        return
        ;;
      esac
      x=$((x + 1))
    done
    y=$((y + 1))
  done
}

answer() {
  case "$way" in
  good) move ;;
  chatty)
    printf 'MESSAGE thinking about it\r\nDEBUG 12\r\n'
    move
    ;;
  twice)
    move
    move
    ;;
  late)
    sleep 0.5
    move
    ;;
  hang)
    sh -c "sleep 1000; : $mark" &
    sh -c "sleep 1000; : $mark"
    ;;
  exit)
    echo 'first words' >&2
    echo 'out of luck' >&2
    exit 3
    ;;
  garbage) while :; do printf 'the answer is 42\r\n'; done ;;
  occupied)
    # The last stone of the board.
    printf '%s\r\n' "${last% }"
    ;;
  outside) printf '77,3\r\n' ;;
  refuse) printf 'ERROR cannot think today\r\n' ;;
  late-rule) printf 'ERROR Unknown rule\r\n' ;;
  esac
}

while read -r command arguments; do
  command=${command%"$(printf '\r')"}
  arguments=${arguments%"$(printf '\r')"}
  case "$command" in
  START)
    case "$way" in
    size) printf 'ERROR unsupported size\r\n' ;;
    deaf) ;;
    *) printf 'OK\r\n' ;;
    esac
    ;;
  INFO)
    case "$way $arguments" in
    'rule rule '*) printf 'ERROR Unknown rule\r\n' ;;
    esac
    ;;
  BEGIN)
    stones=' '
    last='0,0'
    answer
    ;;
  BOARD) stones=' ' ;;
  DONE) answer ;;
  END) exit 0 ;;
  *,*)
    last=${command%,*}
    stones="$stones$last "
    ;;
  esac
done
