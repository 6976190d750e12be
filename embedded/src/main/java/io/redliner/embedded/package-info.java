// SPDX-License-Identifier: Apache-2.0
/** The parts that RedLiner stands on, real and local: a Kafka broker, a PostgreSQL server, an Envoy proxy. */
@NullMarked
package io.redliner.embedded;

import org.jspecify.annotations.NullMarked;
