package io.slicewise.cli;

import io.slicewise.ssh.RemoteShellException;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import io.slicewise.xen.XenException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * The one place where a fault becomes a sentence on standard error and an exit code. A stack trace
 * is printed only for a fault of Slicewise itself.
 */
final class FaultsInWords implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception fault, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (fault instanceof SlicewiseException known) {
      return tell(err, known.getMessage(), known.hint(), known.exitCode());
    }
    if (fault instanceof RemoteShellException lost) {
      return tell(err, lost.getMessage(), lost.hint(), ExitCode.HOST_LOST);
    }
    if (fault instanceof XenException refused) {
      return tell(err, refused.getMessage(), refused.hint(), ExitCode.PREFLIGHT);
    }
    err.println("slicewise: an internal fault; please report it with the lines below");
    fault.printStackTrace(err);
    err.flush();
    return ExitCode.INTERNAL.code();
  }

  private static int tell(PrintWriter err, String message, String hint, ExitCode code) {
    err.println("slicewise: " + message);
    if (!hint.isEmpty()) {
      err.println("  " + hint);
    }
    err.flush();
    return code.code();
  }
}
