package dev.holdfast.api.info;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Routes;
import dev.holdfast.http.Verb;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// `GET /_capabilities`: whether a method, path and parameters are served. Capabilities have names
/// of Elasticsearch's own making, none of which is claimed here.
public final class CapabilitiesApi implements Api {
  private final String clusterName;
  private final NodeIdentity self;
  private final Metadata metadata;
  private final Routes routes;

  /// @param routes the table, asked when a request comes: it may still grow
  public CapabilitiesApi(String clusterName, NodeIdentity self, Metadata metadata, Routes routes) {
    this.clusterName = clusterName;
    this.self = self;
    this.metadata = metadata;
    this.routes = routes;
  }

  @Override
  public Answer handle(ApiRequest request) {
    boolean isLocal = request.flag("local_only", false);
    boolean isSupported = isSupported(request);
    ClusterState state = metadata.current();
    int nodes = isLocal ? 1 : Math.max(1, state.members().size());
    ObjectNode answer = Json.object();
    answer.putObject("_nodes").put("total", nodes).put("successful", nodes).put("failed", 0);
    answer.put("cluster_name", clusterName);
    if (isLocal || isOneBuild(state)) {
      answer.put("supported", isSupported);
    } else {
      answer.putNull("supported"); // nodes of other builds may have other routes
    }
    return Answer.of(200, answer);
  }

  private boolean isOneBuild(ClusterState state) {
    Member here = state.members().get(self.id());
    return here == null
        || state.members().values().stream().allMatch(m -> m.build().equals(here.build()));
  }

  private boolean isSupported(ApiRequest request) {
    String method = request.text("method", "GET");
    Verb verb = Verb.of(method);
    if (verb == null) {
      throw Refusal.badArgument("no HTTP method [" + method + "]");
    }
    List<String> parameters = request.list("parameters");
    boolean claimsMore = !request.list("capabilities").isEmpty();
    Routes.Match match = routes.match(verb, routes.named(segments(request.text("path", "/"))));
    if (match == null || claimsMore) {
      return false;
    }
    Set<String> known = match.route().parameters();
    return parameters.stream()
        .allMatch(name -> known.contains(name) || Routes.COMMON.contains(name));
  }

  /// @throws Refusal for broken escapes
  private static List<String> segments(String path) {
    try {
      String decoded = URLDecoder.decode(path, StandardCharsets.UTF_8);
      return Stream.of(decoded.split("/", -1)).filter(segment -> !segment.isEmpty()).toList();
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("[path] is not encoded as a URL is: " + e.getMessage());
    }
  }
}
