// SPDX-License-Identifier: Apache-2.0
/**
 * Every statement, and the PostgreSQL schema. A row that cannot be read is left out, counted
 * and named. What stops runs and what drives them have connections of their own.
 */
@NullMarked
package io.redliner.controller.service.persistence;

import org.jspecify.annotations.NullMarked;
