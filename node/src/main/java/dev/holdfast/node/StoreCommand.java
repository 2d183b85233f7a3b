package dev.holdfast.node;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `holdfast store …`: what is done to a store while no node runs over it.
@Command(
    name = "store",
    description = "Looks after the object store of a cluster.",
    subcommands = {StoreCheckCommand.class, StoreRepairCommand.class, StoreIpDatabaseCommand.class},
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionText.class)
final class StoreCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return Main.EXIT_USAGE;
  }
}
