// SPDX-License-Identifier: Apache-2.0
/**
 * Drives runs. Verdicts, lease status, time and commands come in; the worker of a service asks the core, stores what it
 * decided, and only then sends it. Runs that their controller lost are taken over, and those of one that stops are handed
 * over.
 */
@NullMarked
package io.redliner.controller.service.execution;

import org.jspecify.annotations.NullMarked;
