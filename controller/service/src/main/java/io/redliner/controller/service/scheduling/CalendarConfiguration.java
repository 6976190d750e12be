// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires calendars. */
@Configuration(proxyBeanMethods = false)
class CalendarConfiguration {

    @Bean
    CalendarRepository calendarStore(JdbcClient jdbc, InstantSource clock) {
        return new CalendarRepository(jdbc, clock);
    }

    @Bean
    CachedCalendarLookup calendars(CalendarRepository calendars, UnreadableRows unreadable, InstantSource clock) {
        return new CachedCalendarLookup(calendars, unreadable, clock);
    }
}
