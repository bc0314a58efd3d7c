"""A full-screen program of one control: what a key to our screen is compared with. With `full` there is text on all of
the screen, and the line to type in is the last; without, there is nothing but that line."""

import shutil
import sys

from prompt_toolkit import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout import BufferControl, Layout, Window

cols, rows = shutil.get_terminal_size()
text = "\n".join([("lorem ipsum " * cols)[: cols - 1]] * (rows - 1) + [""]) if "full" in sys.argv else ""
buffer = Buffer(document=Document(text))
Application(Layout(Window(BufferControl(buffer))), full_screen=True).run()
