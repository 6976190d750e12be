// SPDX-License-Identifier: Apache-2.0
/**
 * Work that nobody waits for: what was kept long enough is removed, peaks are taken from finished runs, and windows are summed up. One
 * controller at a time does each.
 */
@NullMarked
package io.redliner.controller.service.maintenance;

import org.jspecify.annotations.NullMarked;
