// SPDX-License-Identifier: Apache-2.0
/** What is kept in PostgreSQL. */
@NullMarked
package io.redliner.controller.jdbc;

import org.jspecify.annotations.NullMarked;
