package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// `GET /_alias`, `/_alias/{name}`, `/{index}/_alias`, `/{index}/_alias/{name}`: aliases by index.
/// 404 when one that is named outright does not exist, with those that do.
public final class GetAliasApi implements Api {
  private static final IndexExpression.Options TARGETS =
      new IndexExpression.Options(false, true, true, true, true, true);

  private final Metadata metadata;

  public GetAliasApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    List<String> names = request.list("name");
    ObjectNode answer = Json.object();
    Set<String> found = new TreeSet<>();
    for (IndexMetadata index :
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(), request.text("index", ""), TARGETS.of(request)))) {
      ObjectNode shown = Json.object();
      index
          .aliases()
          .forEach((alias, options) -> {
            if (isMeant(names, alias)) {
              shown.set(alias, options);
              found.add(alias);
            }
          });
      if (names.isEmpty() || !shown.isEmpty()) {
        answer.putObject(index.id().name()).set("aliases", shown);
      }
    }
    for (DataStream stream : StreamAliases.meant(metadata.current(), request.text("index", ""))) {
      ObjectNode shown = Json.object();
      for (Map.Entry<String, JsonNode> alias : stream.aliases().properties()) {
        if (isMeant(names, alias.getKey())) {
          shown.set(alias.getKey(), alias.getValue());
          found.add(alias.getKey());
        }
      }
      if (!shown.isEmpty()) {
        answer.putObject(stream.name()).set("aliases", shown);
      }
    }
    SortedSet<String> missing = missing(names, found);
    if (missing.isEmpty()) {
      return Answer.of(200, answer);
    }
    ObjectNode refused = Json.object();
    refused.put(
        "error",
        (missing.size() == 1 ? "alias [" : "aliases [") + String.join(",", missing) + "] missing");
    refused.put("status", 404);
    refused.setAll(answer);
    return Answer.of(404, refused);
  }

  /// Whether the last of the names that speaks of this alias asks for it; `-` before a name
  /// excludes after a wildcard.
  private static boolean isMeant(List<String> names, String alias) {
    boolean isMeant = names.isEmpty();
    boolean isWildcardSeen = false;
    for (String name : names) {
      StopSignal.pollForCancelling();
      if (isExclusion(name, isWildcardSeen)) {
        isMeant &= !Wildcards.matches(name.substring(1), alias);
      } else if (name.equals("_all") || Wildcards.matches(name, alias)) {
        isMeant = true;
      }
      isWildcardSeen |= isWildcard(name);
    }
    return isMeant;
  }

  private static SortedSet<String> missing(List<String> names, Set<String> found) {
    List<String> outright = new ArrayList<>();
    boolean isWildcardSeen = false;
    for (String name : names) {
      StopSignal.pollForCancelling();
      boolean isExclusion = isExclusion(name, isWildcardSeen);
      if (!isWildcard(name) && !isExclusion) {
        outright.add(name);
      } else if (isExclusion) {
        outright.removeIf(earlier -> Wildcards.matches(name.substring(1), earlier));
      }
      isWildcardSeen |= isWildcard(name);
    }
    outright.removeAll(found);
    return new TreeSet<>(outright);
  }

  private static boolean isExclusion(String name, boolean isWildcardSeen) {
    return name.startsWith("-") && (isWildcardSeen || isWildcard(name));
  }

  private static boolean isWildcard(String name) {
    return name.equals("_all") || name.indexOf('*') >= 0;
  }
}
