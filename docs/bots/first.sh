#!/bin/sh
# A bot for p2pcards in POSIX shell: of what is legal it takes the first that draws no card, if there is one.
#
#   p2pcards arena onecard --seat docs/bots/first.sh --seat easy
#
# One line in, one line out. `hello` needs no answer; a request carries its id and the legal actions, and the answer
# repeats the id. What goes to standard error is found in the log of p2pcards.

set -f # no action is a file name
while IFS= read -r line; do
    case $line in
    '{"type":"request",'*) ;;
    *) continue ;;
    esac
    id=${line#*'"id":'} id=${id%%,*}
    legal=${line#*'"legal":['} legal=${legal%%]*} # "draw","take 7D 8D": no action has a bracket or a quote in it
    choice=${legal%%,*}
    old=$IFS IFS=,
    for action in $legal; do
        case $action in
        '"draw'*) ;;
        *) choice=$action && break ;;
        esac
    done
    IFS=$old
    printf '{"id":%s,"action":%s}\n' "$id" "$choice"
done
