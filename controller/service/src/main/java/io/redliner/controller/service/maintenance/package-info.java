// SPDX-License-Identifier: Apache-2.0
/**
 * Background jobs: data is removed after its retention time, peaks are taken from finished runs, and windows are summed up. One
 * controller at a time does each.
 */
@NullMarked
package io.redliner.controller.service.maintenance;

import org.jspecify.annotations.NullMarked;
