package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.world.Json;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.store.MMapDirectory;

/// CPU milliseconds of aggregations over 500,000 documents like web-server logs: a program to run
/// by hand, not a test. An argument changes the number of segments from 4.
public final class Timing {
  private static final String MAPPING =
      """
      {"dynamic": false, "properties": {
        "@timestamp": {"type": "date"}, "status": {"type": "integer"}, "size": {"type": "integer"},
        "clientip": {"type": "ip"}, "request": {"type": "keyword"}, "method": {"type": "keyword"},
        "took": {"type": "double"}}}
      """;
  private static final int DOCUMENTS = 500_000;
  private static final int ROUNDS = 25;

  private static final String[] AGGREGATIONS = {
    "'date_histogram':{'field':'@timestamp','fixed_interval':'1h'}",
    "'date_histogram':{'field':'@timestamp','calendar_interval':'hour'}",
    "'date_histogram':{'field':'@timestamp','calendar_interval':'day','time_zone':'America/New_York'}",
    "'date_histogram':{'field':'@timestamp','calendar_interval':'month'}",
    "'date_histogram':{'field':'@timestamp','fixed_interval':'1s'}",
    "'date_histogram':{'field':'@timestamp','fixed_interval':'1h'},'aggs':{'s':{'stats':{'field':'size'}}}",
    "'terms':{'field':'method'}",
    "'terms':{'field':'request'}",
    "'terms':{'field':'status'}",
    "'terms':{'field':'clientip'}",
    "'terms':{'field':'status'},'aggs':{'s':{'avg':{'field':'size'}}}",
    "'terms':{'field':'request'},'aggs':{'h':{'date_histogram':{'field':'@timestamp','calendar_interval':'day'}}}",
    "'histogram':{'field':'size','interval':500}",
    "'histogram':{'field':'size','interval':500},'aggs':{'s':{'stats':{'field':'size'}}}",
    "'histogram':{'field':'took','interval':0.5}",
    "'range':{'field':'size','ranges':[{'to':1000},{'from':1000,'to':10000},{'from':10000}]}",
    "'sum':{'field':'size'}",
    "'avg':{'field':'took'}",
    "'stats':{'field':'size'}",
    "'extended_stats':{'field':'took'}",
    "'min':{'field':'took'}",
    "'value_count':{'field':'size'}",
    "'cardinality':{'field':'size'}",
    "'cardinality':{'field':'request'}",
    "'cardinality':{'field':'clientip'}",
    "'percentiles':{'field':'took'}",
    "'filters':{'filters':{'a':{'term':{'status':200}},'b':{'term':{'method':'GET'}}}},'aggs':{'s':{'avg':{'field':'size'}}}",
    "'composite':{'size':100,'sources':[{'r':{'terms':{'field':'request'}}},{'s':{'terms':{'field':'status'}}}]}",
  };

  private Timing() {}

  public static void main(String[] arguments) throws Exception {
    int segments = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4;
    Path folder = Files.createTempDirectory("timing");
    try (AggregationTestShard shard =
        new AggregationTestShard(MAPPING, new MMapDirectory(folder))) {
      Random random = new Random(7);
      for (int segment = 0; segment < segments; segment++) {
        shard.segment(documents(random, segment * (DOCUMENTS / segments), DOCUMENTS / segments));
      }
      System.out.println(
          "match_all / GET only: best and median CPU ms over " + segments + " segments");
      // Each kind in turn, several times over, so that call sites have seen every kind.
      double[][][] millis = new double[AGGREGATIONS.length][2][ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < AGGREGATIONS.length; i++) {
          millis[i][0][round] = run(shard, AGGREGATIONS[i], "{\"match_all\":{}}");
          millis[i][1][round] = run(shard, AGGREGATIONS[i], "{\"term\":{\"method\":\"GET\"}}");
        }
      }
      for (int i = 0; i < AGGREGATIONS.length; i++) {
        System.out.println(line(millis[i][0]) + " |" + line(millis[i][1]) + "  " + AGGREGATIONS[i]);
      }
    }
  }

  private static String line(double[] millis) {
    java.util.Arrays.sort(millis);
    return String.format(Locale.ROOT, "%8.2f %8.2f", millis[0], millis[millis.length / 2]);
  }

  private static double run(AggregationTestShard shard, String kind, String query)
      throws Exception {
    AggregationTree tree = AggregationAnswer.tree("{'a':{" + kind + "}}");
    JsonNode parsed = Json.parse(query);
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    tree.reduce(shard.collect(tree, shard.query(parsed)), 10 * DOCUMENTS);
    return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6;
  }

  private static List<String> documents(Random random, int from, int count) {
    List<String> documents = new ArrayList<>(count);
    for (int i = from; i < from + count; i++) {
      long at = 893_964_617_000L + i * 2_000L + random.nextInt(60_000);
      int status = random.nextInt(20) == 0 ? 404 : random.nextInt(9) == 0 ? 304 : 200;
      documents.add(
          "{\"@timestamp\":"
              + at
              + ",\"status\":"
              + status
              + ",\"size\":"
              + (int) Math.exp(10 * random.nextDouble())
              + ",\"clientip\":\"10."
              + random.nextInt(4)
              + "."
              + random.nextInt(200)
              + "."
              + random.nextInt(50)
              + "\",\"request\":\"/images/"
              + (int) Math.exp(8 * random.nextDouble())
              + ".gif\",\"method\":\""
              + (random.nextInt(10) == 0 ? "POST" : "GET")
              + "\",\"took\":"
              + random.nextInt(100_000) / 1000.0
              + "}");
    }
    return documents;
  }
}
