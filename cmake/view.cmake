# What a dashboard needs of a run; each folder is a library of its own.
warden_part(view/wire LINK warden_base)
warden_part(view/series LINK warden_view_wire warden_trial warden_timeline)
warden_part(view/values LINK warden_view_wire warden_trial)
warden_part(view/text LINK warden_trial)
warden_part(view/metrics LINK warden_view_wire warden_timeline)
warden_part(view/timeline LINK warden_view_wire warden_timeline)
