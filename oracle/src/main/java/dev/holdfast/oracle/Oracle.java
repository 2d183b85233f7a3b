package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.holdfast.oracle.command.ToolCommand;
import dev.holdfast.oracle.dialect.ScriptDialect;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast oracle`: asks Holdfast and a peer the same questions.
@Command(
    name = "holdfast oracle",
    mixinStandardHelpOptions = true,
    description =
        "Builds one corpus in Holdfast and in a peer (Elasticsearch, OpenSearch), asks both the"
            + " same questions, and shows where the answers differ. Replaces indices called"
            + " oracle-*.")
public final class Oracle implements Callable<Integer> {
  private static final int REQUEST_CHARACTERS_MAX = 1500;
  private static final int DIFFERENCES_TOLD_MAX = 8;

  @Option(names = "--url", description = "Holdfast (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:9200");

  @Option(
      names = "--peer",
      description =
          "who to compare with; again for another one that is asked what those before it lack"
              + " (default: http://127.0.0.1:19200)")
  private List<URI> peerUrls = new ArrayList<>();

  @Option(names = "--seed", description = "of the requests (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--only",
      description = "features whose name contains this expression, such as query.match")
  private String only = "";

  @Option(
      names = "--requests",
      description = "how many requests a feature (default: ${DEFAULT-VALUE})")
  private int requests = 20;

  @Option(names = "--number", description = "only this request of each feature")
  private int number = -1;

  @Option(
      names = "--timeout",
      description =
          "seconds after which a request counts as not answered (default: ${DEFAULT-VALUE})")
  private int timeoutSeconds = 20;

  @Option(names = "--keep", description = "use the corpus of an earlier run")
  private boolean isKept;

  @Option(names = "--verbose", description = "show every request, accepted and skipped ones too")
  private boolean isVerbose;

  private final PrintWriter out;
  private final Features features = new Features();
  private final Map<String, FeatureScore> scores = new TreeMap<>();
  private final Map<Difference.Kind, Integer> kinds = new EnumMap<>(Difference.Kind.class);
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final List<String> unanswered = new ArrayList<>();
  private final Set<ReferenceServer> gone = new HashSet<>();

  private Oracle(PrintWriter out) {
    this.out = out;
  }

  public static void main(String[] arguments) {
    System.exit(run(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments));
  }

  /// @return 0 when all answers are the same or differ as they should, 1 when not, 2 for a usage
  static int run(PrintWriter out, String... arguments) {
    return ToolCommand.run(new Oracle(out), out, arguments);
  }

  @Override
  public Integer call() throws IOException {
    Accepted accepted = Accepted.fromResource();
    Corpus corpus = new Corpus(features);
    if (peerUrls.isEmpty()) {
      peerUrls.add(URI.create("http://127.0.0.1:19200"));
    }
    Duration timeout = Duration.ofSeconds(timeoutSeconds);
    ServerCleanup leftovers = corpus.leftovers();
    try (Server holdfast = new Server(url, timeout)) {
      ReferenceServer ours = open(holdfast, corpus);
      List<ReferenceServer> peers = new ArrayList<>();
      for (URI peerUrl : peerUrls) {
        peers.add(open(new Server(peerUrl, timeout), corpus));
      }
      if (!ours.lacking().isEmpty()) {
        out.println("Holdfast does not take the indices " + ours.lacking());
      }
      Pattern wanted = Pattern.compile(only);
      for (String feature : features.names()) {
        if (wanted.matcher(feature).find()) {
          ask(feature, ours, peers, accepted, leftovers);
        }
      }
      peers.forEach(peer -> peer.server().close());
    }
    return report();
  }

  private ReferenceServer open(Server server, Corpus corpus) throws IOException {
    if (!isKept) {
      corpus.build(server);
    }
    return ReferenceServer.of(server, corpus);
  }

  private void ask(
      String feature,
      ReferenceServer ours,
      List<ReferenceServer> peers,
      Accepted accepted,
      ServerCleanup leftovers)
      throws IOException {
    FeatureScore score = scores.computeIfAbsent(feature, _ -> new FeatureScore());
    for (int i = 0; i < requests; i++) {
      if (number >= 0 && i != number) {
        continue;
      }
      List<OracleRequest> steps = OracleRequest.steps(features.draw(feature, seed, i));
      score.requests++;
      boolean isAnswered = false;
      for (ReferenceServer peer : peers) {
        if (gone.contains(peer) || peer.lacks(feature)) {
          continue;
        }
        isAnswered = compare(feature, i, steps, ours.server(), peer, score, accepted);
        if (ServerCleanup.possible(steps)) {
          clear(steps, ours.server(), leftovers);
          if (!gone.contains(peer)) {
            clear(steps, peer.server(), leftovers);
          }
        }
        if (isAnswered) {
          break;
        }
      }
      if (!isAnswered) {
        score.skipped++;
      }
    }
  }

  /// @return whether the peer could be asked
  private boolean compare(
      String feature,
      int i,
      List<OracleRequest> steps,
      Server holdfast,
      ReferenceServer peer,
      FeatureScore score,
      Accepted accepted)
      throws IOException {
    JsonNode ourLast = MissingNode.getInstance();
    JsonNode theirLast = MissingNode.getInstance();
    boolean isSame = true;
    boolean isRefused = false;
    boolean isAccepted = false;
    if (!Features.isWrong(feature) && steps.stream().anyMatch(peer::lacks)) {
      return false;
    }
    List<OracleRequest> before = new ArrayList<>();
    for (OracleRequest step : steps) {
      OracleRequest asked = step.after(theirLast);
      OracleAnswer theirs;
      try {
        theirs = peer.server().send(inItsWords(asked, peer));
      } catch (IOException noAnswer) {
        giveUpWhenSilent(peer);
        unanswered.add(
            peer.name() + " [" + feature + " #" + i + "] " + cut(asked + " => " + noAnswer));
        return false;
      }
      if (!Features.isWrong(feature) && peer.lacks(asked, theirs)) {
        if (isVerbose) {
          out.println("skipped " + feature + " #" + i + " " + cut(asked + " => " + theirs.text()));
        }
        return false;
      }
      OracleAnswer ours = OracleAnswer.of(holdfast, step.after(ourLast));
      isRefused |= theirs.isError();
      List<Difference> left = new ArrayList<>();
      for (Difference difference : Comparison.of(ours, theirs)) {
        Optional<String> reason = accepted.reason(feature, before, asked, difference, peer.name());
        if (reason.isPresent()) {
          reasons.merge(reason.get(), 1, Integer::sum);
          isAccepted = true;
        } else {
          left.add(difference);
        }
      }
      if (!left.isEmpty() || isVerbose) {
        tell(feature, i, asked, left, theirs, peer);
      }
      isSame &= left.isEmpty();
      before.add(asked);
      ourLast = ours.json();
      theirLast = theirs.json();
    }
    score.refused += isRefused ? 1 : 0;
    score.same += isSame && !isAccepted ? 1 : 0;
    score.accepted += isSame && isAccepted ? 1 : 0;
    score.different += isSame ? 0 : 1;
    return true;
  }

  /// The request as the peer understands it.
  private static OracleRequest inItsWords(OracleRequest request, ReferenceServer peer) {
    return peer.name().equals("opensearch")
        ? request.withText(ScriptDialect.ofOpenSearch(request.text()))
        : request;
  }

  /// A peer that answers nothing at all any more would keep every request waiting.
  private void giveUpWhenSilent(ReferenceServer peer) {
    OracleAnswer alive = OracleAnswer.of(peer.server(), OracleRequest.steps("GET /").getFirst());
    if (alive.status() == 0 && gone.add(peer)) {
      out.println(peer.name() + " does not answer any more: it is asked no more");
    }
  }

  private void clear(List<OracleRequest> steps, Server server, ServerCleanup leftovers) {
    try {
      leftovers.clear(server, steps).forEach(left -> out.println(server + " keeps " + left));
    } catch (IOException e) {
      out.println(server + " cannot be cleared of what requests left: " + e);
    }
  }

  private void tell(
      String feature,
      int i,
      OracleRequest asked,
      List<Difference> differences,
      OracleAnswer theirs,
      ReferenceServer peer) {
    out.println("[" + feature + " #" + i + " " + peer.name() + "] " + cut(asked.toString()));
    differences.stream()
        .limit(DIFFERENCES_TOLD_MAX)
        .forEach(difference -> out.println("    " + difference));
    differences.forEach(difference -> kinds.merge(difference.kind(), 1, Integer::sum));
    if (isVerbose) {
      out.println("    peer: " + cut(theirs.status() + " " + theirs.text()));
    }
  }

  private static String cut(String text) {
    return text.length() <= REQUEST_CHARACTERS_MAX
        ? text
        : text.substring(0, REQUEST_CHARACTERS_MAX) + "…";
  }

  private int report() {
    FeatureScore all = new FeatureScore();
    out.println();
    out.printf(
        Locale.ROOT,
        "%-44s %9s %6s %10s %9s %8s%n",
        "feature (refused by the peer)",
        "requests",
        "same",
        "different",
        "accepted",
        "skipped");
    scores.forEach((feature, score) -> {
      line(feature + (score.refused > 0 ? " (" + score.refused + ")" : ""), score);
      all.add(score);
    });
    line("all (" + all.refused + ")", all);
    reasons.forEach((reason, count) -> out.println("accepted " + count + " times: " + reason));
    unanswered.forEach(each -> out.println("not answered by " + each));
    List<String> lacking =
        scores.entrySet().stream()
            .filter(each -> each.getValue().skipped == each.getValue().requests)
            .map(Map.Entry::getKey)
            .toList();
    if (!lacking.isEmpty()) {
      out.println("not asked, because no peer has them: " + lacking);
    }
    if (all.different > 0) {
      out.println("differences by kind: " + kinds);
      out.println(
          "replay one: ./holdfast oracle --keep --seed "
              + seed
              + " --only '^FEATURE$' --number N --verbose");
    }
    return all.different == 0 ? 0 : 1;
  }

  private void line(String name, FeatureScore score) {
    out.printf(
        Locale.ROOT,
        "%-44s %9d %6d %10d %9d %8d%n",
        name,
        score.requests,
        score.same,
        score.different,
        score.accepted,
        score.skipped);
  }
}
