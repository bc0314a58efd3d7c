"""The smallest full-screen program with a line to type in: what `frame` is compared with."""

from prompt_toolkit import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window

prompt = Window(BufferControl(Buffer()), height=1)
Application(Layout(HSplit([Window(FormattedTextControl("ready")), prompt]), prompt), full_screen=True).run()
