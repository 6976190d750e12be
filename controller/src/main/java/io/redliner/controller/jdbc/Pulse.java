// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

/** A sign of life of a run: its version grows with each decision. */
public record Pulse(String runId, long version) {}
