package dev.holdfast.indexing;

/// Counters of one indexing shard since it was opened here; times in milliseconds, sizes in bytes.
public record ShardStats(
    long documents,
    long deletedDocuments,
    long storeBytes,
    long indexOperations,
    long indexMillis,
    long indexFailed,
    long versionConflicts,
    long deleteOperations,
    long noopUpdates,
    long refreshes,
    long refreshMillis,
    long flushes,
    long flushMillis,
    long merges,
    long mergeMillis,
    long mergedDocuments,
    long mergedBytes,
    long currentMerges,
    long getOperations,
    long translogOperations,
    long translogBytes,
    int segments,
    long maxSeqNo,
    long uploads,
    long uploadedBytes) {}
