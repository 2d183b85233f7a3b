/// The processes that parse files for this node: started when a file comes and none is free, a few
/// at once, reused, and gone after a minute without files. A process that takes too long, needs too
/// much memory or dies is that file's fault: the file is refused with the reason, and the next one
/// gets another process.
@NullMarked
package dev.holdfast.api.ingest.attachment;

import org.jspecify.annotations.NullMarked;
