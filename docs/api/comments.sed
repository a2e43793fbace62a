# Makes plain comments of the headers ones that Doxygen reads.
# The first describes the file.
1s#^/\* #/** @file\n * #
1s#^// #/// @file\n/// #
# Indented lines are code.
s#^( \*|//)   ( *[^ ])#\1     \2#
# Headings of groups of functions describe none of them.
/^\/\* ----/b
# A comment after a member describes that member.
s#([;,}a-zA-Z0-9"] +)/\* (.*\*/)#\1/**< \2#
s#^(.*[;,{] +)// ([^N])#\1///< \2#
# A comment on its own describes what follows.
s#^( *)/\* #\1/** #
s#^( *)// ?#\1/// #
