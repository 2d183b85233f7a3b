package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.oracle.command.ToolCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast sweep`: valid requests of every feature with one member changed so that it means
/// nothing, to Holdfast and to a peer; shows where the statuses differ.
@Command(
    name = "holdfast sweep",
    mixinStandardHelpOptions = true,
    description =
        "Changes every member of valid requests, one at a time (an unknown member, a value of"
            + " another kind), and compares the status with a peer's. Replaces indices called"
            + " oracle-*.")
public final class Sweep implements Callable<Integer> {
  private static final int REQUEST_CHARACTERS_MAX = 700;
  private static final int REASON_CHARACTERS_MAX = 220;

  /// Features whose requests are odd already, or that Elasticsearch's server alone does not have;
  /// and bodies that it reads for ever when they are no objects.
  private static final Pattern LEFT_OUT =
      Pattern.compile("^wrong\\.|^script\\.|\\.odd_|termvectors");

  @Option(names = "--url", description = "Holdfast (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:9200");

  @Option(names = "--peer", description = "who to compare with (default: ${DEFAULT-VALUE})")
  private URI peerUrl = URI.create("http://127.0.0.1:19200");

  @Option(names = "--seed", description = "of the requests (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(names = "--only", description = "features whose name contains this expression")
  private String only = "";

  @Option(names = "--kind", description = "changes whose kind contains this expression")
  private String kind = "";

  @Option(
      names = "--requests",
      description = "how many valid requests a feature (default: ${DEFAULT-VALUE})")
  private int requests = 6;

  @Option(names = "--keep", description = "use the corpus of an earlier run")
  private boolean isKept;

  private final PrintWriter out;
  private final Features features = new Features();
  private final Set<String> done = new HashSet<>();
  private final Map<String, Integer> other = new TreeMap<>();
  private int asked;
  private int accepted;

  private Sweep(PrintWriter out) {
    this.out = out;
  }

  public static void main(String[] arguments) {
    System.exit(run(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments));
  }

  /// @return 0 when all statuses are the same or differ as they should, 1 when not, 2 for a usage
  static int run(PrintWriter out, String... arguments) {
    return ToolCommand.run(new Sweep(out), out, arguments);
  }

  @Override
  public Integer call() throws IOException {
    Corpus corpus = new Corpus(features);
    Accepted reasons = Accepted.fromResource();
    Duration timeout = Duration.ofSeconds(20);
    try (Server ours = new Server(url, timeout);
        Server theirs = new Server(peerUrl, timeout)) {
      if (!isKept) {
        corpus.build(ours);
        corpus.build(theirs);
      }
      ReferenceServer peer = ReferenceServer.of(theirs, corpus);
      Pattern wanted = Pattern.compile(only);
      for (String feature : features.names()) {
        if (wanted.matcher(feature).find() && !LEFT_OUT.matcher(feature).find()) {
          for (int i = 0; i < requests; i++) {
            List<OracleRequest> steps = OracleRequest.steps(features.draw(feature, seed, i));
            if (steps.stream().noneMatch(peer::lacks)) {
              new Sweeping(feature, steps, ours, peer, reasons, corpus.leftovers()).run();
            }
          }
        }
      }
    }
    other.forEach((place, count) -> out.println(count + " " + place));
    int differ = other.values().stream().mapToInt(Integer::intValue).sum();
    out.println(
        asked + " requests, " + differ + " with another status, " + accepted + " of them meant");
    return differ == 0 ? 0 : 1;
  }

  /// The changes of one request of several steps.
  private final class Sweeping {
    private final String feature;
    private final List<OracleRequest> steps;
    private final Server ours;
    private final ReferenceServer peer;
    private final Accepted reasons;
    private final ServerCleanup leftovers;
    private final boolean leaves;

    Sweeping(
        String feature,
        List<OracleRequest> steps,
        Server ours,
        ReferenceServer peer,
        Accepted reasons,
        ServerCleanup leftovers) {
      this.feature = feature;
      this.steps = steps;
      this.ours = ours;
      this.peer = peer;
      this.reasons = reasons;
      this.leftovers = leftovers;
      this.leaves = ServerCleanup.possible(steps);
    }

    void run() throws IOException {
      for (int at = 0; at < steps.size(); at++) {
        OracleRequest step = steps.get(at);
        if (step.body().length > 0) {
          List<String> lines = List.of(step.text().split("\n"));
          for (int line = 0; line < lines.size(); line++) {
            JsonNode body = parsed(lines.get(line));
            if (body != null) {
              change(at, lines, line, body);
            }
          }
        }
      }
    }

    private void change(int at, List<String> lines, int line, JsonNode body) throws IOException {
      List<MemberMutations.Mutation> mutations = new ArrayList<>();
      for (MemberMutations.Mutation mutation : MemberMutations.of(body)) {
        String place = steps.get(at).path().replaceAll("\\?.*", "") + " " + mutation.place();
        boolean isWanted = Pattern.compile(kind).matcher(mutation.kind()).find();
        if (isWanted && done.add(feature + " " + mutation.kind() + " " + line + " " + place)) {
          mutations.add(mutation);
        }
      }
      if (mutations.isEmpty()
          || isLacked(at)
          || statusOf(at, steps.get(at), peer.server()).isError()) {
        return;
      }
      for (MemberMutations.Mutation mutation : mutations) {
        List<String> changed = new ArrayList<>(lines);
        changed.set(line, mutation.body());
        OracleRequest step = steps.get(at);
        OracleRequest request =
            new OracleRequest(
                step.method(),
                step.path(),
                step.contentType(),
                (String.join("\n", changed) + (lines.size() > 1 ? "\n" : ""))
                    .getBytes(StandardCharsets.UTF_8));
        compare(at, request, mutation);
      }
    }

    private void compare(int at, OracleRequest request, MemberMutations.Mutation mutation)
        throws IOException {
      OracleAnswer theirs = statusOf(at, request, peer.server());
      if (peer.lacks(request, theirs)) {
        return;
      }
      OracleAnswer mine = statusOf(at, request, ours);
      asked++;
      if (mine.status() == theirs.status()) {
        return;
      }
      Difference difference = Comparison.of(mine, theirs).getFirst();
      Optional<String> reason =
          reasons.reason(
              "sweep " + feature, steps.subList(0, at), request, difference, peer.name());
      if (reason.isPresent()) {
        accepted++;
        return;
      }
      other.merge(mutation.kind() + " at " + feature + " " + mutation.place(), 1, Integer::sum);
      out.println(
          "["
              + feature
              + " "
              + mutation.kind()
              + " "
              + mutation.place()
              + "] "
              + mine.status()
              + " != "
              + theirs.status()
              + " "
              + cut(mine.isError() ? told(mine) : "", REASON_CHARACTERS_MAX)
              + cut(theirs.isError() ? told(theirs) : "", REASON_CHARACTERS_MAX)
              + " :: "
              + cut(request.toString(), REQUEST_CHARACTERS_MAX));
    }

    /// Whether the peer does not have what a step before this one makes.
    private boolean isLacked(int at) throws IOException {
      boolean isLacked = false;
      JsonNode last = OracleAnswer.JSON.missingNode();
      for (OracleRequest before : steps.subList(0, at)) {
        OracleRequest asked = before.after(last);
        OracleAnswer answer = OracleAnswer.of(peer.server(), asked);
        isLacked |= peer.lacks(asked, answer);
        last = answer.json();
      }
      if (leaves && at > 0) {
        leftovers
            .clear(peer.server(), steps)
            .forEach(left -> out.println(peer.server() + " keeps " + left));
      }
      return isLacked;
    }

    private OracleAnswer statusOf(int at, OracleRequest request, Server server) throws IOException {
      JsonNode last = OracleAnswer.JSON.missingNode();
      for (OracleRequest before : steps.subList(0, at)) {
        last = OracleAnswer.of(server, before.after(last)).json();
      }
      OracleAnswer answer = OracleAnswer.of(server, request.after(last));
      if (leaves) {
        leftovers.clear(server, steps).forEach(left -> out.println(server + " keeps " + left));
      }
      return answer;
    }
  }

  private static @org.jspecify.annotations.Nullable JsonNode parsed(String text) {
    try {
      JsonNode body = OracleAnswer.JSON.readTree(text);
      return body.isObject() ? body : null;
    } catch (IOException notJson) {
      return null;
    }
  }

  private static String told(OracleAnswer answer) {
    JsonNode error = answer.json().path("error");
    return OracleAnswer.errorType(answer.json()) + " " + error.path("reason").asText();
  }

  private static String cut(String text, int charactersMax) {
    return text.length() <= charactersMax ? text : text.substring(0, charactersMax) + "…";
  }
}
