"""A full-screen program of one control, a line to type in: what a key to our screen is compared with."""

from prompt_toolkit import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.layout import BufferControl, Layout, Window

Application(Layout(Window(BufferControl(Buffer()))), full_screen=True).run()
