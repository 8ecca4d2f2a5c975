package io.slicewise.lab.xm;

import io.slicewise.lab.shell.Invocation;
import java.io.IOException;

/** One subcommand of {@code xm}. It fails with an {@link XmFailure}. */
@FunctionalInterface
interface XmCommand {
  void run(Invocation invocation) throws IOException;
}
