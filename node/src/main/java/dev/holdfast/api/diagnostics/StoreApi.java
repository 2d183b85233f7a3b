package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.scrub.Scrub;
import dev.holdfast.scrub.ScrubReport;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// `GET /_holdfast/store`: what each node asks of the object store, for what, and what that costs.
public final class StoreApi implements Api {
  private final World world;
  private final NodeIdentity self;
  private final StoreCounters counters;
  private final ObjectStore looking;
  private final Scrub scrub;
  private final Broadcast nodes;
  private final StoreRates rates;

  public StoreApi(
      World world,
      NodeIdentity self,
      StoreCounters counters,
      ObjectStore looking,
      Scrub scrub,
      Broadcasts calls) {
    this.world = world;
    this.self = self;
    this.counters = counters;
    this.looking = looking;
    this.scrub = scrub;
    this.rates = new StoreRates(world, counters);
    this.nodes = calls.call("store", _ -> here());
  }

  private JsonNode here() {
    ObjectNode here = Json.object();
    here.put("store", looking.name());
    here.put("uptime_millis", world.clock().epochMillis() - self.startMillis());
    here.set("failing", NodeTroubles.here(world.clock(), counters.health()));
    var lines = here.putArray("requests");
    for (StoreCounters.Line line : counters.snapshot()) {
      lines
          .addObject()
          .put("purpose", line.purpose().label())
          .put("kind", line.kind().name().toLowerCase(Locale.ROOT))
          .put("count", line.requests())
          .put("per_second", rates.perSecond(line.purpose(), line.kind(), line.requests()))
          .put("errors", line.errors())
          .put("written_bytes", line.bytesWritten())
          .put("read_bytes", line.bytesRead())
          .put("dollars", line.dollars());
    }
    scrub(here.putObject("scrub"), scrub.report());
    return here;
  }

  private static void scrub(ObjectNode here, ScrubReport report) {
    here.put("rounds", report.rounds());
    here.put("objects", report.objects());
    here.put("bytes", report.bytes());
    here.put("pages", report.pages());
    here.put("damages", report.damages());
    ObjectNode damaged = here.putObject("damaged");
    report.damaged().forEach(damaged::put);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    Broadcast.Seen seen = nodes.ask(Json.object(), request);
    ObjectNode answer = Json.object();
    seen.nameSilent(answer);
    ObjectNode total = answer.putObject("by_purpose");
    SortedMap<String, ObjectNode> purposes = new TreeMap<>();
    double dollars = 0;
    for (JsonNode node : seen.nodes().values()) {
      for (JsonNode line : node.path("requests")) {
        ObjectNode sum =
            purposes.computeIfAbsent(line.path("purpose").asText(), _ -> Json.object());
        add(sum, "count", line);
        add(sum, "errors", line);
        add(sum, "written_bytes", line);
        add(sum, "read_bytes", line);
        sum.put(
            "per_second", sum.path("per_second").asDouble() + line.path("per_second").asDouble());
        sum.put("dollars", sum.path("dollars").asDouble() + line.path("dollars").asDouble());
        dollars += line.path("dollars").asDouble();
      }
    }
    total.setAll(purposes);
    answer.put("dollars", dollars);
    answer.putObject("nodes").setAll(seen.nodes());
    return Answer.of(200, answer);
  }

  private static void add(ObjectNode sum, String name, JsonNode line) {
    sum.put(name, sum.path(name).asLong() + line.path(name).asLong());
  }
}
