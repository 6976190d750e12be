// SPDX-License-Identifier: Apache-2.0
/** Takes the metrics that services push, as OTLP over gRPC or HTTP. */
@NullMarked
package io.redliner.collector.otlp;

import org.jspecify.annotations.NullMarked;
