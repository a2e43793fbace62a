from smdebug.exceptions import *
