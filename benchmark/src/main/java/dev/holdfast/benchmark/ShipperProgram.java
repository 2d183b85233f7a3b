package dev.holdfast.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// A program that ships a folder of logs to `_bulk`: how it is configured and started, and where it
/// says how many events were taken.
interface ShipperProgram {
  /// What its runs are called in tables, in front of the case; nothing for the shipper itself.
  String prefix();

  /// Writes its configuration into a folder that is its own.
  ///
  /// @param logs the folder of the logs, whose names end in `.log` or `.log.gz`
  /// @param url of the server
  /// @return how it is started
  List<String> configure(Path folder, Path logs, URI url) throws IOException;

  /// Where its metrics are, in the text form of Prometheus.
  URI metrics();

  /// What the lines begin with whose sum says how many events were taken.
  String acknowledged();
}
