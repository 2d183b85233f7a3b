package dev.holdfast.node;

import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.scrub.CheckProgress;
import dev.holdfast.scrub.ObjectCheck;
import dev.holdfast.scrub.StoreScan;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `holdfast store check`: reads every object of a store, while nodes run over it or not, and says
/// which are not what was written. It changes nothing.
@Command(
    name = "check",
    description = "Reads every object and compares it with its checksums; exits with 1 on damage.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionText.class,
    sortOptions = false)
final class StoreCheckCommand implements Callable<Integer> {
  private static final int EXIT_DAMAGE = 1;
  private static final int MEGABYTE = 1 << 20;

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin StoreOptions where = new StoreOptions();

  @Option(
      names = "--sample",
      paramLabel = "SHARE",
      description = "checks this share of the objects, chosen by chance: 0.05 (default: all)")
  double sample = 1;

  @Option(
      names = "--rate",
      paramLabel = "MB/s",
      description = "reads no more than so many megabytes a second (default: no limit)")
  double rate;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "remembers there how far it has come, and goes on from there; removed at the end")
  @Nullable Path resume;

  @Override
  public Integer call() throws Exception {
    if (!(sample > 0 && sample <= 1) || !(rate >= 0)) {
      spec.commandLine().getErr().println("holdfast: --sample is in (0, 1], --rate not below 0");
      return Main.EXIT_USAGE;
    }
    NodeSettings settings = where.settings();
    Logging.configure(settings);
    World world = RealWorld.create();
    try (Tasks _ = world.tasks();
        ObjectStore store = where.openExisting(settings, world)) {
      CheckProgress progress = CheckProgress.read(resume, store.name());
      keep(progress);
      Report report = new Report(spec.commandLine().getOut(), progress, world);
      boolean _ =
          new StoreScan(world, store, rate * MEGABYTE, sample).run(progress.after(), report);
      int status = report.end(store.name());
      if (report.hasFoundNothing()
          && new StateSurvey(store).look() instanceof StateSurvey.Finding.Empty) {
        // Of another bucket or prefix it would look as if all were well.
        throw new IOException("there is no cluster in [" + store.name() + "]");
      }
      return status;
    }
  }

  /// Before hours are spent that nothing would remember.
  private static void keep(CheckProgress progress) throws IOException {
    try {
      progress.save();
    } catch (IOException e) {
      throw new IOException("the progress cannot be kept [why=" + e + "]", e);
    }
  }

  /// Says what is damaged as soon as it is found, and the sums at the end.
  private static final class Report implements StoreScan.Listener {
    private static final long SAVE_NANOS = 5_000_000_000L;

    private final PrintWriter out;
    private final World world;
    private CheckProgress progress;
    private long savedNanos;

    Report(PrintWriter out, CheckProgress progress, World world) {
      this.out = out;
      this.progress = progress;
      this.world = world;
      this.savedNanos = world.clock().nanoTime();
    }

    @Override
    public void checked(Listed object, ObjectCheck.Checked result) {
      progress = progress.with(object.length(), result);
      for (CorruptObjectException damage : result.damages()) {
        String at = damage.offset() < 0 ? "" : " offset=" + damage.offset();
        out.println("damaged key=" + damage.key() + at + " reason=" + damage.getMessage());
      }
      out.flush();
    }

    @Override
    public boolean passed(String key) throws IOException {
      progress = progress.after(key);
      long nowNanos = world.clock().nanoTime();
      if (nowNanos - savedNanos > SAVE_NANOS) {
        savedNanos = nowNanos;
        progress.save();
      }
      return true;
    }

    /// Nothing that is ours.
    boolean hasFoundNothing() {
      return progress.objects() == progress.unknown();
    }

    int end(String store) throws IOException {
      progress.delete();
      out.printf(
          Locale.ROOT,
          "checked %d objects of %s, %d bytes: %d damaged%s%n",
          progress.objects(),
          store,
          progress.bytes(),
          progress.damaged(),
          progress.unknown() == 0 ? "" : ", " + progress.unknown() + " of no known kind");
      return progress.damaged() == 0 ? 0 : EXIT_DAMAGE;
    }
  }
}
