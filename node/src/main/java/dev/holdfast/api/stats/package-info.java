/// Figures that several APIs show: of shards, processes and machines, and how Elasticsearch writes
/// sizes and times ([StatisticsWriter]). Reading them takes no locks that writes need.
@NullMarked
package dev.holdfast.api.stats;

import org.jspecify.annotations.NullMarked;
