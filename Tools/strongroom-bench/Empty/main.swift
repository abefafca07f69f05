// Nothing: what a program of this language costs to start and end, linked as the command is.
