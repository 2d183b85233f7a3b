/// A store in a bucket of Amazon S3 or of a server that speaks its protocol: conditional writes by
/// `If-None-Match` and `If-Match`, parts for large objects, server-side copies, credentials that
/// are looked for anew after they were refused. `S3Failures` sorts every error code into what a
/// caller does next.
@NullMarked
package dev.holdfast.objectstore.s3;

import org.jspecify.annotations.NullMarked;
