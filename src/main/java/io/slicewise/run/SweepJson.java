package io.slicewise.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.base.json.Json;
import io.slicewise.profile.SchedulerParameters;

/** The JSON of a run directory: ours, plus a tag that tells scheduler parameters apart. */
final class SweepJson {
  static final ObjectMapper MAPPER =
      Json.mapper().copy().addMixIn(SchedulerParameters.class, TaggedParameters.class);

  private SweepJson() {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheduler")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = SchedulerParameters.Credit.class, name = "credit"),
    @JsonSubTypes.Type(value = SchedulerParameters.Credit2.class, name = "credit2"),
    @JsonSubTypes.Type(value = SchedulerParameters.Sedf.class, name = "sedf"),
    @JsonSubTypes.Type(value = SchedulerParameters.Rtds.class, name = "rtds"),
    @JsonSubTypes.Type(value = SchedulerParameters.RtdsByVcpu.class, name = "rtds-by-vcpu")
  })
  private interface TaggedParameters {}
}
