// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics that services push come in, as OTLP over gRPC or HTTP, in protobuf or JSON. Their instance
 * is found by the attributes of the resource or by the sender's address. What cannot be used is counted by its reason.
 * Points go out to be translated.
 */
@NullMarked
package io.redliner.collector.otlp;

import org.jspecify.annotations.NullMarked;
