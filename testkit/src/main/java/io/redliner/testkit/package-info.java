// SPDX-License-Identifier: Apache-2.0
/** Kafka, PostgreSQL and Envoy for tests, from one of two providers: the same tests pass with both. */
@NullMarked
package io.redliner.testkit;

import org.jspecify.annotations.NullMarked;
