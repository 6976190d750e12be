// SPDX-License-Identifier: Apache-2.0
/**
 * Objectives in the files of others come in: OpenSLO and Prometheus' alerting rules. The rules of a plan's SLA go out. What RedLiner
 * cannot judge is named with its line and the reason, and no rule is made of it.
 */
@NullMarked
package io.redliner.cli.slo;

import org.jspecify.annotations.NullMarked;
