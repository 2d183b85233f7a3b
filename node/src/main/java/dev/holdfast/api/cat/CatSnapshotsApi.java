package dev.holdfast.api.cat;

import dev.holdfast.api.snapshot.NamedSnapshots;
import dev.holdfast.api.snapshot.SnapshotLine;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import java.time.Duration;

/// `GET /_cat/snapshots`.
public final class CatSnapshotsApi implements CatApi.Maker {
  private final Clock clock;
  private final NamedSnapshots snapshots;

  public CatSnapshotsApi(Clock clock, NamedSnapshots snapshots) {
    this.clock = clock;
    this.snapshots = snapshots;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    CatTable table =
        new CatTable()
            .column("id", "id,snapshot", "unique snapshot")
            .column("repository", "re,repo", "repository name")
            .column("status", "s,status", "snapshot name")
            .column("start_epoch", "ste,startEpoch", "start time in seconds since 1970-01-01")
            .column("start_time", "sti,startTime", "start time in HH:MM:SS")
            .column("end_epoch", "ete,endEpoch", "end time in seconds since 1970-01-01")
            .column("end_time", "eti,endTime", "end time in HH:MM:SS")
            .column("duration", "dur,duration", "duration")
            .column("indices", "i,indices", "number of indices")
            .column("successful_shards", "ss,successful_shards", "number of successful shards")
            .column("failed_shards", "fs,failed_shards", "number of failed shards")
            .column("total_shards", "ts,total_shards", "number of total shards")
            .hidden("reason", "r,reason", "reason for failures");
    if (request.flag("help", false)) {
      return table;
    }
    for (SnapshotLine line : snapshots.lines(request, table::warn)) {
      long endMillis = line.endMillis() > 0 ? line.endMillis() : clock.epochMillis();
      table.row(
          line.snapshot(),
          line.repository(),
          line.state(),
          CatTimes.epoch(line.startMillis()),
          CatTimes.timestamp(line.startMillis()),
          CatTimes.epoch(line.endMillis()),
          CatTimes.timestamp(line.endMillis()),
          Duration.ofMillis(endMillis - line.startMillis()),
          line.indices(),
          line.shards() - line.failedShards(),
          line.failedShards(),
          line.shards(),
          null);
    }
    return table;
  }
}
