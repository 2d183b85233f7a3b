package dev.holdfast.oracle.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Runs a tool that speaks to servers: what is wrong with its options, or with the way to a server,
/// is said in one line.
public final class ToolCommand {
  /// What wrong use ends with.
  public static final int EXIT_USAGE = 2;

  private ToolCommand() {}

  /// @param tool a command of picocli
  /// @param out where the tool and its failures are said
  /// @return its exit status, 1 when it failed, 2 for wrong use
  public static int run(Object tool, PrintWriter out, String... arguments) {
    CommandLine command = new CommandLine(tool).setOut(out).setErr(out);
    command.registerConverter(URI.class, new ServerUrl());
    command.setParameterExceptionHandler((wrong, given) -> {
      String name = wrong.getCommandLine().getCommandName();
      out.println(name + ": " + wrong.getMessage() + " (see " + name + " --help)");
      return EXIT_USAGE;
    });
    command.setExecutionExceptionHandler((failure, where, parsed) -> {
      if (!isOfNetwork(failure)) {
        throw failure;
      }
      out.println(where.getCommandName() + ": a server does not answer: " + failure.getMessage());
      return 1;
    });
    return command.execute(arguments);
  }

  private static boolean isOfNetwork(Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof SocketTimeoutException
        || failure instanceof UnknownHostException
        || (failure.getCause() instanceof IOException cause && isOfNetwork(cause));
  }

  /// `http://host:port`.
  private static final class ServerUrl implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        URI url = new URI(text);
        if ("http".equals(url.getScheme()) && url.getHost() != null) {
          return url;
        }
      } catch (URISyntaxException e) {
        throw new TypeConversionException("[" + text + "] is no URL: " + e.getMessage());
      }
      throw new TypeConversionException(
          "[" + text + "] is no URL of a server, as http://127.0.0.1:9200 is");
    }
  }
}
