package dev.holdfast.node.project;

import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.node.wiring.BoundThreads;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The network between the processes of a cluster, shared by its projects: calls of a project name
/// it, and are answered by its rooms in the process that is called.
final class ProjectCalls {
  /// Those that keep a project's cluster together go by a name of the kind that waits behind no
  /// others.
  private static final String FIRST = "cluster/";

  private static final String FIRST_OF_PROJECT = "cluster/project";
  private static final String OF_PROJECT = "project/call";
  private static final String MISSING = "missing_project";

  private final Network network;
  private final Map<String, OfProject> open = new ConcurrentHashMap<>();

  /// Serves the calls of all projects from now on.
  ProjectCalls(Network network) {
    this.network = network;
    network.serve(FIRST_OF_PROJECT, this::answer);
    network.serve(OF_PROJECT, this::answer);
  }

  /// The network of a project, until it is closed.
  OfProject of(String uuid, BoundThreads threads) {
    OfProject made = new OfProject(uuid, threads);
    if (open.putIfAbsent(uuid, made) != null) {
      throw new IllegalStateException("the project is open already [uuid=" + uuid + "]");
    }
    return made;
  }

  private byte[] answer(byte[] named) throws Exception {
    Name project = Name.at(named, 0);
    Name call = Name.at(named, project.end());
    OfProject here = open.get(project.text());
    if (here == null) {
      throw new Refusal(ErrorType.NODE_CLOSED, "the project is not open on this node")
          .with(MISSING, project.text());
    }
    return here.answer(call.text(), Arrays.copyOfRange(named, call.end(), named.length));
  }

  /// A short text behind its length.
  private record Name(String text, int end) {
    static Name at(byte[] bytes, int at) throws IOException {
      int length = at < bytes.length ? bytes[at] & 0xff : 0;
      if (length == 0 || at + 1 + length > bytes.length) {
        throw new IOException("a call of a project is cut off");
      }
      int end = at + 1 + length;
      return new Name(new String(bytes, at + 1, length, StandardCharsets.UTF_8), end);
    }

    static void add(ByteArrayOutputStream out, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (bytes.length == 0 || bytes.length > 255) {
        throw new IllegalArgumentException("no name of a call [" + text + "]");
      }
      out.write(bytes.length);
      out.writeBytes(bytes);
    }
  }

  /// As the rooms of a project see it.
  final class OfProject implements Network, AutoCloseable {
    private final String uuid;
    private final BoundThreads threads;
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private volatile boolean isComplete;

    private OfProject(String uuid, BoundThreads threads) {
      this.uuid = uuid;
      this.threads = threads;
    }

    /// Every call that the project will ever answer is served.
    void complete() {
      isComplete = true;
    }

    private byte[] answer(String call, byte[] request) throws Exception {
      Handler handler = handlers.get(call);
      if (handler == null) {
        throw isComplete
            ? Call.unsupported(call)
            : new Refusal(ErrorType.NODE_CLOSED, "the project is being opened on this node")
                .with(MISSING, uuid);
      }
      return threads.scripts().<byte[], Exception>during(() -> handler.answer(request));
    }

    @Override
    public void serve(String call, Handler handler) {
      if (handlers.putIfAbsent(call, handler) != null) {
        throw new IllegalStateException("the call is served already [call=" + call + "]");
      }
    }

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline)
        throws IOException, InterruptedException {
      ByteArrayOutputStream named = new ByteArrayOutputStream(64 + request.length);
      Name.add(named, uuid);
      Name.add(named, call);
      named.writeBytes(request);
      try {
        return network.call(
            address,
            call.startsWith(FIRST) ? FIRST_OF_PROJECT : OF_PROJECT,
            named.toByteArray(),
            deadline);
      } catch (Refusal e) {
        if (uuid.equals(e.metadata().get(MISSING))) {
          throw new UnreachableException(
              "the node does not have the project open [address=" + address + "]", false, e);
        }
        throw e;
      }
    }

    @Override
    public void close() {
      open.remove(uuid, this);
    }
  }
}
