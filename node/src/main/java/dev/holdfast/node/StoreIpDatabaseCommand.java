package dev.holdfast.node;

import com.maxmind.db.Reader;
import dev.holdfast.api.ingest.place.StoredIpDatabases;
import dev.holdfast.objectstore.Keys;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `holdfast store add-ip-database`: puts a file of the format MMDB into a store, for the
/// processors `geoip` and `ip_location` of all nodes over it, in the place of one of its name.
@Command(
    name = "add-ip-database",
    description = "Puts a database of addresses (MMDB) into the store; running nodes use it soon.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionText.class,
    sortOptions = false)
final class StoreIpDatabaseCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin StoreOptions where = new StoreOptions();

  @Parameters(paramLabel = "FILE", description = "the file; pipelines name it: GeoLite2-City.mmdb")
  Path file = Path.of("");

  @Override
  public Integer call() throws Exception {
    PrintWriter errors = spec.commandLine().getErr();
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(".mmdb") || !Keys.isName(name)) {
      errors.println("holdfast: a database is called like GeoLite2-City.mmdb");
      return Main.EXIT_USAGE;
    }
    String type;
    try (Reader reader = new Reader(file.toFile())) {
      type = reader.getMetadata().databaseType();
    } catch (IOException e) {
      errors.println("holdfast: no database of the format MMDB: " + e.getMessage());
      return Main.EXIT_USAGE;
    }
    NodeSettings settings = where.settings();
    Logging.configure(settings);
    World world = RealWorld.create();
    try (Tasks _ = world.tasks();
        ObjectStore store = where.open(settings, world)) {
      var _ = store.put(StoredIpDatabases.PREFIX + name, ObjectBody.of(file, Files.size(file)));
      spec.commandLine().getOut().println("added " + name + " (" + type + ") to " + store.name());
      return 0;
    }
  }
}
