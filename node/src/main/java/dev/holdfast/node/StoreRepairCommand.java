package dev.holdfast.node;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.log.StateRepair;
import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.indexing.recovery.StateRebuild;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `holdfast store repair`: makes a store with a damaged cluster state one that a node starts over
/// (decision 017).
@Command(
    name = "repair",
    description = "Rebuilds a cluster state that is lost or incomplete.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionText.class,
    sortOptions = false,
    footer = {
      "",
      "What is left of the state is kept; indices come from the newest commit of each shard. All"
          + " nodes",
      "of the cluster must be stopped. Exit status: 0 done, or nothing to do; 1 it cannot be done."
    })
final class StoreRepairCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin StoreOptions where = new StoreOptions();

  @Option(names = "--dry-run", description = "says what would be done and writes nothing")
  boolean isDryRun;

  @Option(
      names = "--accept-loss",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "INDEX/SHARD",
      description = {
        "goes on although shards have no blob in the store: they will be empty.",
        "With a shard, over a whole state: it is opened with what there is"
      })
  @Nullable String accepted;

  @Option(
      names = "--restore",
      paramLabel = "UUID",
      description = "brings an index back that was deleted and whose blobs lie in the trash")
  @Nullable String restored;

  @Override
  public Integer call() throws Exception {
    NodeSettings settings = where.settings();
    Logging.configure(settings);
    World world = RealWorld.create();
    try (Tasks _ = world.tasks();
        ObjectStore store = where.openExisting(settings, world)) {
      repair(world, store, settings.networking().cluster());
    }
    return 0;
  }

  private void repair(World world, ObjectStore store, ClusterConfig config)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    StateRepair repair = new StateRepair(world, store, config);
    switch (new StateSurvey(store).look()) {
      case StateSurvey.Finding.Empty _ -> out.println("there is no cluster in " + store.name());
      case StateSurvey.Finding.Whole _ when restored != null -> rebuild(repair, store, out);
      case StateSurvey.Finding.Whole whole when !acceptedShard().isEmpty() ->
          acceptLoss(repair, store, whole.state(), acceptedShard());
      case StateSurvey.Finding.Whole whole ->
          out.println(
              "the cluster state is whole, there is nothing to repair " + figures(whole.state()));
      case StateSurvey.Finding.Damaged damaged -> {
        out.println("damaged: [" + damaged.exception().key() + "] " + damaged.exception().what());
        rebuild(repair, store, out);
      }
    }
    out.flush();
  }

  private void rebuild(StateRepair repair, ObjectStore store, PrintWriter out)
      throws IOException, InterruptedException {
    if (!isDryRun) {
      requireAllShards(new StateRebuild(store).rebuild(kept(repair.remnant())));
      repair.begin();
    }
    StateRepair.Remnant remnant = repair.remnant();
    remnant.broken().forEach(key -> out.println("missing or damaged: " + key));
    if (restored != null) {
      long objects = isDryRun ? 0 : StateRebuild.fromTrash(store, restored);
      out.println("restored from the trash [uuid=" + restored + ", objects=" + objects + "]");
    }
    StateRebuild.Rebuilt rebuilt = new StateRebuild(store).rebuild(kept(remnant));
    rebuilt.notes().forEach(out::println);
    for (IndexMetadata index : rebuilt.state().indices().values()) {
      out.println(
          "index "
              + index.id()
              + " [shards="
              + index.shards()
              + ", aliases="
              + index.aliases().keySet()
              + ", open="
              + index.isOpen()
              + "]");
    }
    if (isDryRun) {
      out.println("nothing was written, this was a dry run " + figures(rebuilt.state()));
    } else {
      ClusterState state = rebuilt.state();
      for (ShardId shard : rebuilt.missing()) {
        state = UploadMarks.with(state, shard, UploadMarks.of(state, shard).withAcceptedLoss());
      }
      ClusterState written = repair.write(state, rebuilt.newestTerm());
      out.println("the cluster state is rebuilt: start the nodes " + figures(written));
    }
  }

  /// Before anything is written.
  private void requireAllShards(StateRebuild.Rebuilt rebuilt) throws IOException {
    if (accepted == null && !rebuilt.missing().isEmpty()) {
      throw new IOException(
          "shards have no blob in the store, nothing was written: bring the folders back, or repair"
              + " with --accept-loss to have them empty "
              + rebuilt.missing());
    }
  }

  /// Lets a shard that lacks an object be opened with what there is (decision 018).
  private void acceptLoss(
      StateRepair repair, ObjectStore store, ClusterState whole, String indexAndShard)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    ShardId shard = shard(whole, indexAndShard);
    UploadMark mark = UploadMarks.of(whole, shard);
    out.println(
        "shard "
            + shard
            + " is opened with what there is [lost="
            + (mark.lost().isEmpty() ? "not looked for yet" : mark.lost())
            + ", known_max_seq_no="
            + mark.maxSeqNo()
            + "]");
    if (isDryRun) {
      out.println("nothing was written, this was a dry run " + figures(whole));
      return;
    }
    repair.begin();
    StateRebuild.Rebuilt rebuilt =
        new StateRebuild(store).rebuild(StateRepair.Remnant.whole(whole));
    ClusterState written =
        repair.write(
            UploadMarks.with(rebuilt.state(), shard, mark.withAcceptedLoss()),
            rebuilt.newestTerm());
    out.println("the loss is accepted: start the nodes " + figures(written));
  }

  /// The shard whose loss is accepted by name; empty for none.
  private String acceptedShard() {
    String named = accepted;
    return named == null ? "" : named;
  }

  private static ShardId shard(ClusterState state, String indexAndShard) throws IOException {
    int slash = indexAndShard.lastIndexOf('/');
    IndexMetadata index = slash < 0 ? null : state.indices().get(indexAndShard.substring(0, slash));
    String number = indexAndShard.substring(slash + 1);
    if (index == null
        || !number.matches("[0-9]{1,6}")
        || Integer.parseInt(number) >= index.shards()) {
      throw new IOException("no such shard [shard=" + indexAndShard + "], say it as books/0");
    }
    return new ShardId(index.id(), Integer.parseInt(number));
  }

  /// What is left, with the index that is restored no more deleted.
  private StateRepair.Remnant kept(StateRepair.Remnant found) {
    String uuid = restored;
    return uuid == null ? found : found.map(state -> DeletedIndices.without(state, List.of(uuid)));
  }

  private static String figures(ClusterState state) {
    return "[term="
        + state.term()
        + ", version="
        + state.version()
        + ", indices="
        + state.indices().size()
        + "]";
  }
}
