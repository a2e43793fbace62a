pt_analysis = PT_dataloader_analysis(pf)
