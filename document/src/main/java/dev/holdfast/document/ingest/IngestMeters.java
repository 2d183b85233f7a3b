package dev.holdfast.document.ingest;

/// Hears how long pipelines and their steps take, and whether they fail, to count it. Steps of
/// handlers and of loops count with the step that they are of.
public interface IngestMeters {
  /// Counts nothing.
  IngestMeters NONE =
      new IngestMeters() {
        @Override
        public Meter of(IngestPipeline pipeline) {
          return Meter.NONE;
        }

        @Override
        public Meter of(IngestPipeline pipeline, int step) {
          return Meter.NONE;
        }
      };

  Meter of(IngestPipeline pipeline);

  /// @param step its place in the pipeline
  Meter of(IngestPipeline pipeline, int step);

  /// Counts one thing that is done again and again.
  interface Meter {
    Meter NONE =
        new Meter() {
          @Override
          public long began() {
            return 0;
          }

          @Override
          public void ended(long start, boolean hasFailed) {}
        };

    /// @return when, in nanoseconds of some clock
    long began();

    /// @param start as [#began] returned it
    void ended(long start, boolean hasFailed);
  }
}
