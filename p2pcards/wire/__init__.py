"""Bytes <-> values: what travels and what is signed. Knows no game, no socket and no clock.

encode      the one encoder under every hash, MAC, signature and key derivation
identity    a key: signs, and is shown as words
handshake   two programs prove their keys; gives a Session
records     sealed records on that session
messages    what a record carries
entries     the links of a table's journal
envelope    what a seat signs
fields      the types of single fields
chat        what people say to each other, signed
code        the two words that let somebody in
lab         what the key of a lab proves
advert      what a table says of itself on the network
text        what peers write, made safe to show
"""
